_tableside_with_games() {
    _tableside "$@"
    local IFS=$'\n' name word="${COMP_WORDS[COMP_CWORD]}" asks=
    [[ ${COMP_WORDS[COMP_CWORD-1]} == --system ]] && asks=yes
    case " roll odds systems " in
        *" ${COMP_WORDS[1]} "*) [[ $COMP_CWORD -eq 2 ]] && asks=yes ;;
    esac
    if [[ $asks ]]; then
        COMPREPLY+=($(compgen -W "$(tableside systems --names 2>/dev/null)" -- "$word"))
        return 0
    fi
    case " {commands} " in
        *" ${COMP_WORDS[1]} "*) [[ $COMP_CWORD -eq 2 ]] || return 0 ;;
        *) [[ $COMP_CWORD -eq 1 ]] || return 0 ;;
    esac
    for name in $(tableside games --names 2>/dev/null); do
        [[ $name == "$word"* ]] && COMPREPLY+=("$(printf %q "$name")")
    done
    return 0
}
complete -F _tableside_with_games -o bashdefault -o default tableside
