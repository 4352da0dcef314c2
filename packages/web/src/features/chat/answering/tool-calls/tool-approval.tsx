import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useState } from "react";
import type { Answer } from "../../conversation/types.ts";
import styles from "./tool-calls.module.css";
import type { Decision, ToolRounds } from "./tool-rounds.ts";
import { useIsRunning } from "./use-is-running.ts";

type Props = { answer: Answer; rounds: ToolRounds };

/** Asks whether the calls of an answer may be made, one after the other, and makes them once all are decided. */
export function ToolApproval({ answer, rounds }: Props) {
  const [decisions, setDecisions] = useState<Readonly<Record<string, Decision>>>({});
  const isRunning = useIsRunning(rounds, answer.id);
  const next = answer.toolCalls.find(({ id }) => decisions[id] === undefined);
  if (isRunning)
    return (
      <p className="small faint" role="status">
        {t`Calling the tools …`}
      </p>
    );
  function decide(decision: Decision): void {
    if (next === undefined) return;
    const all = { ...decisions, [next.id]: decision };
    setDecisions(all);
    if (answer.toolCalls.some(({ id }) => all[id] === undefined)) return;
    // Whoever stops the calls is asked again.
    void rounds.run(answer, all).finally(() => setDecisions({}));
  }
  if (next === undefined) return null;
  return (
    <fieldset className={styles.approval}>
      <legend className="small">
        <Trans>
          May <code>{next.name}</code> be called with these arguments?
        </Trans>
      </legend>
      <div className="row wrapping">
        <button type="button" className="btn" onClick={() => decide("once")}>
          {t`Once`}
        </button>
        <button type="button" className="btn" onClick={() => decide("always")}>
          {t`Always in this chat`}
        </button>
        <button type="button" className="btn" onClick={() => decide("no")}>
          {t`No`}
        </button>
      </div>
    </fieldset>
  );
}
