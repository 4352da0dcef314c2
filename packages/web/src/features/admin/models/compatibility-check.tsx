import type { Schemas } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useState } from "react";
import { State } from "#/components/ui/bits.tsx";
import { feather } from "#/lib/feather.ts";
import { size } from "#/lib/format.ts";
import { withEach } from "../with-each.ts";

type Compatibility = Schemas["Compatibility"];
type Checked = { id: string; answer: Compatibility | null; error: string | null };

/** Checks on the hub whether models can be served, before they are imported. */
export function CompatibilityCheck({ ids }: { ids: readonly string[] }) {
  const [checked, setChecked] = useState<readonly Checked[] | null>(null);
  const [busy, setBusy] = useState(false);
  async function check(): Promise<void> {
    setBusy(true);
    const answers = new Map<string, Compatibility>();
    const results = await withEach(ids, async (id) => answers.set(id, await feather.privateModels.compatibility(id)));
    setChecked(results.map(({ id, error }) => ({ id, answer: answers.get(id) ?? null, error })));
    setBusy(false);
  }
  return (
    <div>
      <button type="button" className="btn" disabled={busy || ids.length === 0} aria-busy={busy} onClick={check}>
        {busy ? t`Asking the hub …` : t`Check compatibility`}
      </button>
      <div role="status">
        {checked?.map((item) => (
          <Answer key={item.id} {...item} />
        ))}
      </div>
    </div>
  );
}

function Answer({ id, answer, error }: Checked) {
  const failed = answer?.checks.filter(({ ok }) => !ok) ?? [];
  return (
    <section className="mt-4" aria-label={t`Compatibility of ${id}`}>
      <div className="row between wraps">
        <span className="mono stranger">{id}</span>
        <State tier={answer?.compatible ? "good" : "bad"}>
          {answer
            ? answer.compatible
              ? t`can be served`
              : t`${failed.length} of ${answer.checks.length} rules fail`
            : t`unknown`}
        </State>
      </div>
      {error ? <p className="small mid mt-1 stranger">{error}</p> : null}
      {answer ? (
        <details className="small mt-1" open={!answer.compatible}>
          <summary className="mid">
            {answer.model_class ?? t`no class`} · {size(answer.detected.parameter_size)} ·{" "}
            {answer.detected.architecture ?? t`unknown architecture`}
          </summary>
          <dl className="pairs">
            {answer.checks.map(({ id: rule, label, ok, detail }) => (
              <div key={rule}>
                <dt>
                  <State tier={ok ? "good" : "bad"}>{ok ? t`holds` : t`fails`}</State>{" "}
                  <span className="mid">{label}</span>
                </dt>
                <dd className="mid stranger">{detail}</dd>
              </div>
            ))}
          </dl>
        </details>
      ) : null}
    </section>
  );
}
