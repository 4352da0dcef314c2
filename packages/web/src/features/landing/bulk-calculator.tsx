import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { Select } from "#/components/ui/controls/select.tsx";
import { Barbs } from "#/components/ui/labels/barbs.tsx";
import { plansQuery } from "#/entities/plans/queries.ts";
import styles from "./bulk-calculator.module.css";
import { estimateBulkSeconds, formatDuration } from "./bulk-estimate.ts";

const MODEL_SIZES = [
  [1, t`up to 15B, 1 unit`],
  [2, t`up to 34B, 2 units`],
  [4, t`larger, 4 units`],
] as const;

/** Calculates how long a job takes on each plan if its units are always busy. */
export function BulkCalculator() {
  const id = useId();
  const { data: plans } = useQuery(plansQuery);
  const [requests, setRequests] = useState("10000");
  const [seconds, setSeconds] = useState("8");
  const [cost, setCost] = useState(1);
  const job = { requests: Number(requests), seconds: Number(seconds), cost };
  const isValid = job.requests > 0 && job.seconds > 0;
  const flatPlans =
    plans?.items.filter(
      (plan) => plan.billing_mode === "subscription" && plan.concurrency !== null && plan.daily_request_limit === null,
    ) ?? [];
  return (
    <div className={styles.calculator}>
      <form className="calculator-fields" onSubmit={(event) => event.preventDefault()}>
        <div className="field">
          <label htmlFor={`${id}-requests`}>{t`Requests`}</label>
          <input
            id={`${id}-requests`}
            className="input num"
            inputMode="numeric"
            value={requests}
            onChange={(event) => setRequests(event.target.value.replace(/\D/g, "").slice(0, 9))}
          />
        </div>
        <div className="field">
          <label htmlFor={`${id}-seconds`}>{t`Seconds for one`}</label>
          <input
            id={`${id}-seconds`}
            className="input num"
            inputMode="decimal"
            value={seconds}
            onChange={(event) => setSeconds(event.target.value.replace(/[^\d.]/g, "").slice(0, 6))}
          />
        </div>
        <div className="field">
          <label htmlFor={`${id}-cost`}>{t`Size of the model`}</label>
          <Select
            id={`${id}-cost`}
            value={String(cost)}
            options={MODEL_SIZES.map(([value, label]) => ({ value: String(value), label }))}
            onChange={(value) => setCost(Number(value))}
          />
        </div>
      </form>
      <table aria-live="polite">
        <thead>
          <tr>
            <th scope="col">{t`Plan`}</th>
            <th scope="col">{t`Units`}</th>
            <th scope="col" className="numeric">
              {t`Side by side`}
            </th>
            <th scope="col" className="numeric">
              {t`About`}
            </th>
          </tr>
        </thead>
        <tbody>
          {flatPlans.map((plan) => {
            const units = plan.concurrency ?? 0;
            const total = isValid ? estimateBulkSeconds({ ...job, units }) : null;
            return (
              <tr key={plan.id}>
                <td>
                  <strong>{plan.name}</strong>
                </td>
                <td>
                  <span className="row tight">
                    <Barbs active={units} total={units} label="" /> {units}
                  </span>
                </td>
                <td className="numeric">{Math.floor(units / cost) || "–"}</td>
                <td className="numeric">{total === null ? "–" : formatDuration(total)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
