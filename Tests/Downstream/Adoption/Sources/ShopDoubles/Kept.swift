// The other files of this target are written by `understudy adopt`; see the script `check`.
