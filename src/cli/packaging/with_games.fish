complete -c tableside -n "__fish_seen_subcommand_from {commands}; and test (count (commandline -opc)) -eq 2" -f -a "(tableside games --names 2>/dev/null)"
complete -c tableside -n "__fish_use_subcommand" -f -a "(tableside games --names 2>/dev/null)"
complete -c tableside -n "__fish_seen_subcommand_from roll odds systems; and test (count (commandline -opc)) -eq 2" -a "(tableside systems --names 2>/dev/null)"
complete -c tableside -n "__fish_seen_subcommand_from new import" -l system -x -a "(tableside systems --names 2>/dev/null)"
