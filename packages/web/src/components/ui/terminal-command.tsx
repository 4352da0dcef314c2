import { Trans } from "@lingui/react/macro";
import { CopyButton } from "./code.tsx";

/** Shows the CLI command that is equivalent to the page, with a copy button. */
export function TerminalCommand({ command }: { command: string }) {
  return (
    <p className="twin small dim">
      <Trans>
        In the terminal: <code className="mono stranger">{command}</code>
      </Trans>{" "}
      <CopyButton text={command} />
    </p>
  );
}
