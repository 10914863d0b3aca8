try SoundProof.run(Array(CommandLine.arguments.dropFirst()))
