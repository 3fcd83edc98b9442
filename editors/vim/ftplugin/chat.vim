" Linejudge scenarios: comments, indentation and formatting
if exists("b:did_ftplugin")
  finish
endif
let b:did_ftplugin = 1

setlocal commentstring=#\ %s comments=:#
setlocal expandtab shiftwidth=4 softtabstop=4
setlocal fileencoding=utf-8

let b:undo_ftplugin = "setlocal commentstring< comments< expandtab< shiftwidth< softtabstop< fileencoding<"
