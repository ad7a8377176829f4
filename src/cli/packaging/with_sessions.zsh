_tableside_sessions() {
    local -a names
    names=("${(@f)$(tableside sessions --names 2>/dev/null)}")
    compadd -a names
}
_tableside_systems() {
    compadd ${(f)"$(tableside systems --names 2>/dev/null)"}
    _files -g '*.toml'
}
