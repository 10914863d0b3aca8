# Completion of quadrille for fish. `quadrille --complete WORD...` prints what the last word can be, a line each with a
# tab behind the name. A last line without a tab asks for files: ":files ENDING..." or ":folders".

function __quadrille_complete
    set -l words (commandline -opc)
    set -l raw (commandline -ct)
    # The word may have a quote that is still open.
    set -l word
    for end in '' '"' "'"
        set word (string unescape -- $raw$end 2>/dev/null)
        and break
    end
    test -n "$word"
    or set word ''
    set -l program (string replace -r '^~(?=/)' $HOME $words[1])
    set -l files
    set -l names
    for line in ($program --complete $words[2..] $word 2>/dev/null)
        if string match -q '*'\t'*' -- $line
            set -a names $line
            echo $line
        else
            set files $line
        end
    end
    test -n "$files"
    or return

    set -l path (string replace -r '^--[^=]*=' '' -- $word)
    set -l start (string sub -l (math (string length -- $word) - (string length -- $path)) -- $word)
    set -l shown (string replace -r '^~(?=/)' $HOME -- $path)
    set -l paths $shown*
    set -l endings (string replace -r '^:files ?' '' -- $files | string replace -a ' ' '|')
    set -l known $paths
    if test -n "$endings"; and test "$files" != :folders
        set known (string match -ri '^.*\.(?:'$endings')$' -- $paths)
        test (count $known $names) -gt 0
        or set known $paths
    end
    for file in $paths
        set -l name $start(string replace -- $shown $path $file)
        if test -d $file
            echo $name/
        else if test "$files" != :folders; and contains -- $file $known
            echo $name
        end
    end
end
complete -c quadrille -f -k -a '(__quadrille_complete)'
