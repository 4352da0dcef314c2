import { t } from "@lingui/core/macro";
import { dateFormat } from "#/lib/format.ts";
import type { Deployment, DeploymentEvent } from "./queries.ts";
import { type Step, stepsOf } from "./states.ts";

const WORDS: Record<Step["is"], string> = { done: t`done`, now: t`in progress`, failed: t`failed`, ahead: t`not yet` };
const clock = dateFormat({ timeStyle: "medium" });

/** Progress of the latest start or update; nothing while none is expected. */
export function ProgressSteps({ deployment, events }: { deployment: Deployment; events: readonly DeploymentEvent[] }) {
  const steps = stepsOf(deployment, events);
  if (!steps) return null;
  return (
    <ol className="way small" aria-label={t`Progress`}>
      {steps.map(({ name, is, at, note }) => (
        <li key={name} className={is} aria-current={is === "now" ? "step" : undefined}>
          <b>{name}</b>
          <span className="visually-hidden">: {WORDS[is]}</span>
          <div className="dim num">{note ?? (at ? clock.format(at) : is === "now" ? t`now` : "–")}</div>
        </li>
      ))}
    </ol>
  );
}
