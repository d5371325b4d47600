import UnderstudyCommand

// The commands that need no registered services, for every package.
await CommandLineTool("understudy").main()
