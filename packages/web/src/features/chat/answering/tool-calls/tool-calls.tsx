import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useId, useState } from "react";
import type { ToolCall, ToolResult } from "../../conversation/types.ts";
import { CodeBlock } from "../markdown/code-block.tsx";
import styles from "./tool-calls.module.css";

/** Lists the tool calls of an answer. The user can enter the results, which are sent to the model. */
export function ToolCalls({
  calls,
  sendToolResults,
}: {
  calls: readonly ToolCall[];
  sendToolResults?: (results: ToolResult[]) => void;
}) {
  const [results, setResults] = useState<Record<string, string>>({});
  const id = useId();
  if (calls.length === 0) return null;
  const isComplete = calls.every((call) => (results[call.id] ?? "") !== "");
  return (
    <form
      className={styles.toolCalls}
      onSubmit={(event) => {
        event.preventDefault();
        if (isComplete)
          sendToolResults?.(calls.map((call) => ({ callId: call.id, name: call.name, text: results[call.id] ?? "" })));
      }}
    >
      {calls.map((call) => (
        <div key={call.id} className={styles.toolCall}>
          <p className="small">
            <Trans>
              Calls the tool <code>{call.name || t`without a name`}</code>
            </Trans>
          </p>
          <CodeBlock code={formatJson(call.arguments)} language="json" isComplete />
          {sendToolResults ? (
            <>
              <label className="label" htmlFor={`${id}-${call.id}`}>
                <Trans>Result of {call.name}</Trans>
              </label>
              <textarea
                id={`${id}-${call.id}`}
                className="input"
                rows={2}
                value={results[call.id] ?? ""}
                onChange={(event) => setResults({ ...results, [call.id]: event.target.value })}
              />
            </>
          ) : null}
        </div>
      ))}
      {sendToolResults ? (
        <button type="submit" className="btn" disabled={!isComplete}>
          {calls.length === 1 ? t`Send the result` : t`Send the results`}
        </button>
      ) : null}
    </form>
  );
}

function formatJson(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}
