import { Trans } from "@lingui/react/macro";
import type { ToolResult } from "../conversation/types.ts";
import styles from "./tool-results.module.css";

/** What tools returned to the model, folded. */
export function ToolResults({ results }: { results: readonly ToolResult[] }) {
  return results.map(({ callId, name, text }) => (
    <details key={callId} className={styles.result}>
      <summary>
        <Trans>
          Result of <code>{name}</code>
        </Trans>
      </summary>
      <pre dir="auto">{text}</pre>
    </details>
  ));
}
