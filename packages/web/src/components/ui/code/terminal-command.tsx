import { Trans } from "@lingui/react/macro";
import { CopyButton } from "./copy-button.tsx";
import styles from "./terminal-command.module.css";

type Props = {
  command: string;
  /** The space above it: `far` at the end of a page. */
  distance?: "far" | "close" | "closest";
};

/** Shows the CLI command that is equivalent to the page, with a copy button. */
export function TerminalCommand({ command, distance = "far" }: Props) {
  return (
    <p className={`${styles.command} ${styles[distance]} small faint`}>
      <Trans>
        In the terminal: <code className="mono user-text">{command}</code>
      </Trans>{" "}
      <CopyButton text={command} />
    </p>
  );
}
