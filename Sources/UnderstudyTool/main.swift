import UnderstudyCommand

// What the plugin runs: the commands that need no services, so that adopters build the toolkit alone.
await CommandLineTool("swift package understudy").main()
