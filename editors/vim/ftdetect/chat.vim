" Linejudge scenarios
autocmd BufRead,BufNewFile *.chat setfiletype chat
