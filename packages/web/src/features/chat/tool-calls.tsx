import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useId, useState } from "react";
import { CodePiece } from "./code-piece.tsx";
import type { ToolCall, ToolResult } from "./types.ts";

/** Lists the tool calls of an answer. The user can enter the results, which are sent to the model. */
export function ToolCalls({ calls, give }: { calls: readonly ToolCall[]; give?: (results: ToolResult[]) => void }) {
  const [results, setResults] = useState<Record<string, string>>({});
  const id = useId();
  if (calls.length === 0) return null;
  const complete = calls.every((call) => (results[call.id] ?? "") !== "");
  return (
    <form
      className="tool-calls"
      onSubmit={(event) => {
        event.preventDefault();
        if (complete) give?.(calls.map((call) => ({ callId: call.id, name: call.name, text: results[call.id] ?? "" })));
      }}
    >
      {calls.map((call) => (
        <div key={call.id} className="tool-call">
          <p className="small">
            <Trans>
              Calls the tool <code>{call.name || t`without a name`}</code>
            </Trans>
          </p>
          <CodePiece code={pretty(call.arguments)} language="json" complete />
          {give ? (
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
      {give ? (
        <button type="submit" className="btn" disabled={!complete}>
          {calls.length === 1 ? t`Send the result` : t`Send the results`}
        </button>
      ) : null}
    </form>
  );
}

function pretty(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}
