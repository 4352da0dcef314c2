/** Shells with a completion script. */
export const SHELLS = ["bash", "zsh", "fish", "powershell"] as const;
/** A shell with a completion script. */
export type Shell = (typeof SHELLS)[number];

/**
 * The completion scripts. Each calls `feather complete -- <words>`, which prints one candidate per line, followed by a tab
 * and a note. Words are passed as separate arguments and never evaluated. Without candidates the shell completes file names.
 */
export const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `# bash completion of feather: eval "$(feather completion bash)" in ~/.bashrc
_feather_complete() {
  local candidate
  COMPREPLY=()
  while IFS= read -r candidate; do
    COMPREPLY+=("\${candidate%%$'\\t'*}")
  done < <(feather complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _feather_complete feather`,

  zsh: `#compdef feather
# zsh completion of feather: source <(feather completion zsh) in ~/.zshrc, after compinit
_feather() {
  local -a candidates
  local candidate
  for candidate in "\${(@f)$(feather complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -n $candidate ]] && candidates+=("\${\${candidate%%$'\\t'*}//:/\\\\:}:\${candidate#*$'\\t'}")
  done
  if (( \${#candidates} )); then _describe feather candidates; else _files; fi
}
compdef _feather feather`,

  fish: `# fish completion of feather: feather completion fish > ~/.config/fish/completions/feather.fish
function __feather_complete
    set -l words (commandline -opc)
    set -l candidates (feather complete -- $words[2..] (commandline -ct) 2>/dev/null)
    if test (count $candidates) -eq 0
        __fish_complete_path (commandline -ct)
    else
        printf '%s\\n' $candidates
    end
end
complete -c feather -f -a '(__feather_complete)'`,

  powershell: `# PowerShell completion of feather: feather completion powershell | Out-String | Invoke-Expression in $PROFILE
Register-ArgumentCompleter -Native -CommandName feather -ScriptBlock {
  param($word, $ast, $cursor)
  $words = @($ast.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.StartOffset -lt $cursor } | ForEach-Object { $_.Extent.Text })
  $next = if ($word -eq '') { @('--next') } else { @() }
  feather complete @next '--' @words 2>$null | ForEach-Object {
    $value, $note = $_ -split "\`t", 2
    if (-not $note) { $note = $value }
    [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $note)
  }
}`,
};
