import Foundation

/// An RTSP server of one film, looped at its own pace. `ffmpeg` makes the packets. They are sent as the client asks,
/// within the connection or by UDP.
public final class RTSPServer: Sendable {
    public let address: String
    private let sender: Child
    private let server: Child

    public init(_ film: String) throws {
        let folder = try Scratch.newFolder("rtsp")
        let description = "\(folder)/film.sdp"
        let port = try FreePort.evenUDP()
        sender = try Child([
            "ffmpeg", "-nostdin", "-v", "error", "-re", "-stream_loop", "-1", "-i", film, "-c", "copy",
            "-f", "rtp", "-sdp_file", description, "rtp://127.0.0.1:\(port)",
        ])
        server = try Child(["python3", "-c", Self.program, description, "\(port)", "\(folder)/port"])
        var own = ""
        guard
            RealTime.wait(
                atMost: 10,
                until: {
                    own = (try? String(contentsOfFile: "\(folder)/port", encoding: .utf8)) ?? ""
                    return own.hasSuffix("\n")
                })
        else { throw WebServer.CannotListen(number: ETIMEDOUT) }
        address = "rtsp://127.0.0.1:\(own.dropLast())/live"
    }

    deinit {
        server.end()
        sender.end()
    }

    private static let program = """
        import os, socket, sys, threading, time
        description, incoming, result = sys.argv[1], int(sys.argv[2]), sys.argv[3]
        packets = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        packets.bind(("127.0.0.1", incoming))
        while not os.path.exists(description) or "a=fmtp" not in open(description).read():
            time.sleep(0.05)
        lines = [line for line in open(description).read().splitlines() if line and not line.startswith("SDP:")]
        sdp = "\\r\\n".join(lines).replace(f"m=video {incoming}", "m=video 0") + "\\r\\na=control:track0\\r\\n"
        sinks, lock = [], threading.Lock()

        def pump():
            while True:
                packet = packets.recv(65536)
                with lock:
                    present = list(sinks)
                for send in present:
                    try:
                        send(packet)
                    except OSError:
                        with lock:
                            sinks.remove(send)

        def transport(wanted, client):
            if "TCP" in wanted:
                def send(packet):
                    client.sendall(b"$\\0" + len(packet).to_bytes(2, "big") + packet)
                return send, "RTP/AVP/TCP;unicast;interleaved=0-1"
            port = int(wanted.split("client_port=")[1].split("-")[0])
            out = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            out.bind(("127.0.0.1", 0))
            own = out.getsockname()[1]
            ports = f"client_port={port}-{port + 1};server_port={own}-{own + 1}"
            return lambda packet: out.sendto(packet, ("127.0.0.1", port)), f"RTP/AVP;unicast;{ports}"

        def serve(client):
            requests, send = client.makefile("rb"), None
            while True:
                line = requests.readline()
                if not line or line[:1] == b"$":
                    return
                fields = {}
                while True:
                    field = requests.readline().decode().strip()
                    if not field:
                        break
                    name, value = field.split(":", 1)
                    fields[name.lower()] = value.strip()
                method, body = line.split()[0].decode(), ""
                answer = ["RTSP/1.0 200 OK", "CSeq: " + fields.get("cseq", "0"), "Session: 1"]
                if method == "DESCRIBE":
                    body = sdp
                    answer += ["Content-Type: application/sdp", f"Content-Length: {len(body)}"]
                elif method == "SETUP":
                    send, words = transport(fields["transport"], client)
                    answer.append("Transport: " + words)
                elif method == "OPTIONS":
                    answer.append("Public: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN")
                client.sendall(("\\r\\n".join(answer) + "\\r\\n\\r\\n" + body).encode())
                if method == "PLAY":
                    with lock:
                        sinks.append(send)

        def guarded(client):
            try:
                serve(client)
            except OSError:
                pass

        threading.Thread(target=pump, daemon=True).start()
        server = socket.socket()
        server.bind(("127.0.0.1", 0))
        server.listen(5)
        with open(result + ".new", "w") as file:
            file.write(f"{server.getsockname()[1]}\\n")
        os.rename(result + ".new", result)
        while True:
            client, _ = server.accept()
            threading.Thread(target=guarded, args=(client,), daemon=True).start()
        """
}
