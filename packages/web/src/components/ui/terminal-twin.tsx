import { Trans } from "@lingui/react/macro";
import { CopyButton } from "./code.tsx";

/** The command that does in the terminal what the page shows. */
export function TerminalTwin({ command }: { command: string }) {
  return (
    <p className="twin small dim">
      <Trans>
        In the terminal: <code className="mono stranger">{command}</code>
      </Trans>{" "}
      <CopyButton text={command} />
    </p>
  );
}
