_tableside_games() {
    local -a names
    names=("${(@f)$(tableside games --names 2>/dev/null)}")
    compadd -a names
}
_tableside_systems() {
    compadd ${(f)"$(tableside systems --names 2>/dev/null)"}
    _files -g '*.toml'
}
