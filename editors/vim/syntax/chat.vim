" Vim syntax file for Linejudge scenarios (*.chat); see docs/scenario-language.md
if exists("b:current_syntax")
  finish
endif
let s:save = &cpoptions
set cpoptions&vim

syntax case match

" Steps: an operator, then an arrow or an action.
syntax match chatOperator /^\s*\zs\%(self\|[[:alpha:]_][[:alnum:]_]*\%(-[[:alnum:]_]\+\)*\)\ze\s*\%(->\|<[-~?!]\)/
      \ nextgroup=chatSend,chatExpect,chatNever skipwhite
syntax match chatOperator /^\s*\zs\%(self\|[[:alpha:]_][[:alnum:]_]*\%(-[[:alnum:]_]\+\)*\)\ze\s\+\%(connect\|close\|half-close\|abort\|pause\|resume\|starttls\|closed\|quiet\|ignore\)\>/
      \ nextgroup=chatAction skipwhite
syntax match chatSend /->/ contained nextgroup=chatMessage skipwhite
syntax match chatExpect /<[-~?]/ contained nextgroup=chatMessage skipwhite
syntax match chatNever /<!/ contained nextgroup=chatMessage skipwhite
syntax match chatAction /\<\%(connect\|close\|half-close\|abort\|pause\|resume\|starttls\|closed\|quiet\|ignore\)\>/ contained
      \ nextgroup=chatBy,chatWindow skipwhite
syntax match chatBy /\<by\s\+\%(fin\|reset\)\>/ contained nextgroup=chatWindow skipwhite
syntax match chatWindow /\<\%(within\|for\)\ze\s\+\d/ contained nextgroup=chatDuration skipwhite
" In a fragment, the operator may be omitted.
syntax match chatSend /^\s*\zs->/ nextgroup=chatMessage skipwhite
syntax match chatExpect /^\s*\zs<[-~?]/ nextgroup=chatMessage skipwhite
syntax match chatNever /^\s*\zs<!/ nextgroup=chatMessage skipwhite
syntax match chatAction /^\s*\zs\%(connect\|close\|half-close\|abort\|pause\|resume\|starttls\|closed\|quiet\)\>/ nextgroup=chatBy,chatWindow skipwhite

" The header.
syntax match chatHeader /^\s*\zs\%(dialect\|include\|operators\|tags\|timeout\%(\s\+\%(step\|file\)\)\=\|set\|secret\|data\|needs\|exec\)\ze\%(\s\|$\)/
syntax match chatHeader /^\s*\zstitle\ze\%(\s\|$\)/ nextgroup=chatTitle skipwhite
syntax match chatTitle /\S.\{-}\ze\%(\s\+#\%(\s\|$\)\|\s*$\)/ contained
syntax match chatHeader /^\s*\zs\%(known\s\+failure\|skip\)\s\+on\>/
syntax match chatUntil /\<until\s\+\d\{4}-\d\d-\d\d\>/
syntax match chatCite /^\s*\zscite\>/ nextgroup=chatRule skipwhite
syntax match chatRule /\S[^"]\{-}\ze\%(\s\+"\|\s\+\<\%(must\|should\|may\|policy\|robustness\)\>\|\s\+#\|\s*$\)/ contained
      \ nextgroup=chatLevel skipwhite
syntax keyword chatLevel contained must should may policy robustness

" Standing rules, blocks, time and order.
syntax match chatStanding /^\s*\zson\ze\s\+\%([[:alnum:]_-]\+\s*\)\=<-/ nextgroup=chatExpect,chatStandingOperator skipwhite
syntax match chatStandingOperator /[[:alpha:]_][[:alnum:]_-]*\ze\s*<-/ contained nextgroup=chatExpect skipwhite
syntax match chatStanding /^\s*\zsignore\ze\s/
syntax match chatBlock /^\s*\zsany\s\+order\ze\s*{/
syntax match chatBlock /^\s*\zsone\s\+of\ze\s*{/
syntax match chatBlock /^\s*}\s*\zsor\ze\s*{/
syntax match chatBlock /^\s*\zsrepeat\ze\s\+\d/ nextgroup=chatCount skipwhite
syntax match chatCount /\d\+/ contained nextgroup=chatBlockWord skipwhite
syntax match chatBlockWord /\<\%(as\s\+[[:alnum:]_-]\+\|every\)\>/ contained nextgroup=chatBlockWord,chatDuration skipwhite
syntax match chatBlock /^\s*\zseventually\>/ nextgroup=chatWindow skipwhite
syntax match chatBlock /^\s*\zsoutcome\s\+of\ze\s*{/
syntax match chatBlock /^\s*}\s*\zssame\s\+as\ze\s*{/
syntax match chatBlock /^\s*\zsfragment\>/ nextgroup=chatFragment skipwhite
syntax match chatStatement /^\s*\zsuse\ze\s/ nextgroup=chatFragment skipwhite
syntax match chatFragment /[[:alpha:]_][[:alnum:]_-]*/ contained nextgroup=chatAs,chatArguments skipwhite
syntax match chatAs /\<as\>/ contained nextgroup=chatActors skipwhite
syntax match chatActors /[[:alnum:]_, -]\+/ contained nextgroup=chatArguments skipwhite
syntax match chatStatement /^\s*\zs\%(wait\|think\)\ze\s/ nextgroup=chatDuration skipwhite
syntax match chatStatement /^\s*\zssync\ze\%(\s\|$\)/
syntax match chatStatement /^\s*\zs\%(name\|nick\)\ze\s.*\<free\>/
syntax match chatAction /\s\zsfree\ze\%(\s\+within\>\|\s*$\|\s\+#\)/ nextgroup=chatWindow skipwhite

" Modifiers follow two spaces.
syntax match chatModifier /\s\{2,}\zswithin\ze\s\+\d/ nextgroup=chatDuration skipwhite
syntax match chatModifier /\s\{2,}\zsfor\ze\s\+\d/ nextgroup=chatDuration skipwhite
syntax match chatModifier /\s\{2,}\zspayload\ze\s\+"/ nextgroup=chatString skipwhite
syntax match chatModifier /\s\{2,}\zsreply\ze\s*->/ nextgroup=chatSend skipwhite
syntax match chatDuration /\<\d\+\%(\.\d\+\)\=\%(us\|ms\|s\|m\)\>\%(\.\.\d\+\%(\.\d\+\)\=\%(us\|ms\|s\|m\)\>\)\=/ contained
syntax match chatDuration /^\s*timeout\s\+\%(step\|file\)\s\+\zs\d\S*/
syntax match chatDuration /|\s*\zs\d\+\%(\.\d\+\)\=\%(us\|ms\|s\|m\)\>/

" Typed commands.
syntax match chatMessage /[[:alpha:]_][[:alnum:]_-]*\ze(/ contained nextgroup=chatArguments
syntax region chatArguments matchgroup=chatDelimiter start=/(/ end=/)/ oneline contained
      \ contains=chatString,chatPlaceholder,chatNumber,chatBoolean,chatArgument,chatAnyOrder
syntax match chatArgument /[[:alpha:]_][[:alnum:]_-]*\ze\s*:/ contained
syntax match chatNumber /-\=\<\d\+\%(\.\d\+\)\=\>/ contained
syntax keyword chatBoolean contained true false
syntax match chatAnyOrder /\<any\s\+order\ze\s*\[/ contained

" Placeholders, strings, comments.
syntax match chatEscape /\\\%([nrt0\\"]\|x\x\x\|u{\x\{1,6}}\)/ contained
syntax match chatBadEscape /\\\%([nrt0\\"]\|x\x\x\|u{\x\{1,6}}\)\@!./ contained
syntax region chatString start=/\%(\%(->\|<[-~?!]\||\|payload\|exec\|=\)\s*\)\@<="/ skip=/\\./ end=/"/ oneline
      \ contains=chatEscape,chatBadEscape,chatPlaceholder
syntax region chatString start=/"/ skip=/\\./ end=/"/ oneline contained contains=chatEscape,chatBadEscape,chatPlaceholder
syntax region chatReason start=/\%(^\s*\%(cite\|known\|skip\)\>[^"]*\)\@<="/ skip=/\\./ end=/"/ oneline
      \ contains=chatEscape,chatBadEscape
syntax region chatPlaceholder matchgroup=chatPlaceholderBrace start=/{{/ end=/}}/ oneline
      \ contains=chatPlaceholderString,chatRegex,chatType,chatCount,chatFunction
syntax region chatPlaceholderString start=/"/ skip=/\\./ end=/"/ oneline contained contains=chatEscape,chatBadEscape,chatPlaceholder
syntax match chatFunction /\<base64\ze\s*"/ contained
syntax region chatRegex start=+/+ skip=+\\.+ end=+/+ oneline contained
syntax match chatType /:\zs\%(int\|bool\|decimal\|text\|time\|word\)\>/ contained
syntax match chatComment /^\s*#.*$/ contains=chatTodo
syntax match chatComment /\s\zs#\%(\s.*\)\=$/ contains=chatTodo
syntax keyword chatTodo contained TODO FIXME

highlight default link chatOperator Identifier
highlight default link chatStandingOperator Identifier
highlight default link chatSend Operator
highlight default link chatExpect Operator
highlight default link chatNever WarningMsg
highlight default link chatAction Statement
highlight default link chatBy Keyword
highlight default link chatWindow Keyword
highlight default link chatActors Identifier
highlight default link chatHeader PreProc
highlight default link chatTitle Title
highlight default link chatUntil Constant
highlight default link chatCite PreProc
highlight default link chatRule Constant
highlight default link chatLevel Keyword
highlight default link chatStanding Statement
highlight default link chatBlock Repeat
highlight default link chatBlockWord Repeat
highlight default link chatStatement Statement
highlight default link chatFragment Function
highlight default link chatAs Statement
highlight default link chatModifier Keyword
highlight default link chatDuration Number
highlight default link chatMessage Function
highlight default link chatArgument Label
highlight default link chatNumber Number
highlight default link chatCount Number
highlight default link chatBoolean Boolean
highlight default link chatDelimiter Delimiter
highlight default link chatString String
highlight default link chatReason String
highlight default link chatPlaceholderString String
highlight default link chatEscape SpecialChar
highlight default link chatBadEscape Error
highlight default link chatPlaceholder Special
highlight default link chatPlaceholderBrace Delimiter
highlight default link chatRegex String
highlight default link chatType Type
highlight default link chatFunction Function
highlight default link chatAnyOrder Keyword
highlight default link chatComment Comment
highlight default link chatTodo Todo

let b:current_syntax = "chat"
let &cpoptions = s:save
unlet s:save
