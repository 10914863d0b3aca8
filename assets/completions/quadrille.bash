# Completion of quadrille for bash. `quadrille --complete WORD...` prints what the last word can be, a line each with a
# tab behind the name. A last line without a tab asks for files: ":files ENDING..." or ":folders".

_quadrille() {
    local words=() word= quote= cut=0 isBegun= rest=${COMP_LINE:0:COMP_POINT} char
    # Words as the shell would pass them on. `cut`: the part of the last one that readline leaves alone, since it breaks
    # words at = and : too.
    while [ -n "$rest" ]; do
        char=${rest:0:1} rest=${rest:1}
        case $quote$char in
            ' ' | $'\t')
                [ -z "$isBegun" ] || words+=("$word")
                word= cut=0 isBegun=
                continue ;;
            \\ | \"\\) word+=${rest:0:1} rest=${rest:1} ;;
            \" | \') quote=$char cut=${#word} ;;
            \"\" | \'\') quote= ;;
            [=:]) word+=$char cut=${#word} ;;
            *) word+=$char ;;
        esac
        isBegun=yes
    done
    case $COMP_WORDBREAKS in *[=:]*) ;; *) cut=0 ;; esac

    local line files= found=()
    while IFS= read -r line; do
        case $line in
            *$'\t'*) found+=("${line%%$'\t'*}") ;;
            :*) files=$line ;;
        esac
    done < <("${1/#\~\//$HOME/}" --complete "${words[@]:1}" "$word" 2>/dev/null)
    compopt -o nosort 2>/dev/null

    if [ -n "$files" ]; then
        # readline quotes the names of files, and ends those of folders with a slash.
        compopt -o filenames
        local path=$word start= endings=${files#:files} kind=-f paths=() known=()
        case $word in --*=*) path=${word#*=} start=${word%%=*}= ;; esac
        [ "$files" != :folders ] || kind=-d
        mapfile -t paths < <(compgen "$kind" -- "$path")
        if [ "$kind" = -f ] && [ -n "$endings" ]; then
            endings=${endings# }
            for line in "${paths[@]}"; do
                if [[ -d ${line/#\~\//$HOME/} || ${line,,} =~ \.(${endings// /|})$ ]]; then known+=("$line"); fi
            done
            [ ${#known[@]} -eq 0 ] && [ ${#found[@]} -eq 0 ] || paths=("${known[@]}")
        fi
        for line in "${paths[@]}"; do found+=("$start$line"); done
    else
        # A name, such as a tile's, may hold anything that means something to the shell.
        for line in "${!found[@]}"; do
            char=${found[line]:cut}
            case $quote in
                \') char=${char//\'/\'\\\'\'} ;;
                \")
                    char=${char//\\/\\\\} char=${char//\"/\\\"}
                    char=${char//\$/\\\$} char=${char//\`/\\\`} ;;
                *) [[ $char =~ ^[[:alnum:]@%+=:,./_-]*$ ]] || printf -v char %q "$char" ;;
            esac
            found[line]=${found[line]:0:cut}$char
        done
    fi
    COMPREPLY=()
    for line in "${found[@]}"; do COMPREPLY+=("${line:cut}"); done
    # tiles/ID/ is continued.
    if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == */ ]]; then compopt -o nospace 2>/dev/null; fi
}
complete -F _quadrille quadrille
