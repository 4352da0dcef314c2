import type { Plan, Subscription } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useState } from "react";
import { Barbs } from "#/components/ui/labels/barbs.tsx";
import { Tag } from "#/components/ui/labels/tag.tsx";
import { isPaidPlan } from "#/entities/plans/paid-plan.ts";
import { countUnits, formatPlanPrice, formatUnits } from "#/entities/plans/subscription-labels.ts";
import styles from "./plan-picker.module.css";
import { type PlanSelection, parseQuantity } from "./plan-selection.ts";

type Props = {
  plans: readonly Plan[];
  selection: PlanSelection;
  subscription: Subscription;
  disabled: boolean;
  onSelect(plan: Plan): void;
  setQuantity(quantity: number): void;
};

/** Radio buttons of the plans on sale, with a quantity where a plan is sold by units. */
export function PlanPicker({ plans, selection, subscription, disabled, onSelect, setQuantity }: Props) {
  return (
    <fieldset disabled={disabled}>
      <legend className="visually-hidden">{t`Plan`}</legend>
      <div className={styles.planChoice}>
        {plans.map((plan) => {
          const isSelected = plan.id === selection.plan.id;
          const isEach = plan.unit_based && !isSelected;
          const units = countUnits(plan, isSelected ? selection.quantity : plan.min_quantity);
          return (
            <div key={plan.id} className={styles.planOption}>
              <label>
                <input type="radio" name="plan" value={plan.id} checked={isSelected} onChange={() => onSelect(plan)} />
                <span className={styles.what}>
                  <span className="row wrapping">
                    <strong>{plan.name}</strong>
                    {plan.id === subscription.plan.id ? <Tag>{t`your plan`}</Tag> : null}
                  </span>
                  <span className="small muted">
                    {isPaidPlan(plan) ? `${plan.features.join(", ")}.` : t`End the paid plan with its period.`}
                  </span>
                </span>
                <span className="row small muted units">
                  <Barbs active={units ?? 8} total={units ?? 8} label={formatUnits(units)} />
                  {isEach ? t`${formatUnits(units)} each` : formatUnits(units)}
                </span>
                <span className={`num ${styles.price}`}>
                  {formatPlanPrice(plan, subscription.currency, isSelected ? selection.quantity : plan.min_quantity)}
                </span>
              </label>
              {isSelected && plan.unit_based ? (
                <Quantity plan={plan} quantity={selection.quantity} setQuantity={setQuantity} />
              ) : null}
            </div>
          );
        })}
      </div>
    </fieldset>
  );
}

/**
 * A quantity field. It keeps the typed text until it loses focus, but always reports a quantity that the plan allows.
 */
function Quantity({
  plan,
  quantity,
  setQuantity,
}: {
  plan: Plan;
  quantity: number;
  setQuantity(quantity: number): void;
}) {
  const [text, setText] = useState<string | null>(null);
  const set = (requested: number) => {
    setText(null);
    setQuantity(parseQuantity(plan, String(Math.max(0, requested))));
  };
  return (
    <div className={`row wrapping ${styles.planQuantity}`}>
      <label htmlFor="quantity">{t`Quantity`}</label>
      <span className={`row ${styles.stepper}`}>
        <button
          type="button"
          className="btn icon"
          aria-label={t`One less`}
          disabled={quantity <= plan.min_quantity}
          onClick={() => set(quantity - 1)}
        >
          −
        </button>
        <input
          id="quantity"
          className="input num"
          type="number"
          min={plan.min_quantity}
          max={plan.max_quantity}
          value={text ?? quantity}
          onChange={(event) => {
            setText(event.target.value);
            setQuantity(parseQuantity(plan, event.target.value));
          }}
          onBlur={() => setText(null)}
        />
        <button
          type="button"
          className="btn icon"
          aria-label={t`One more`}
          disabled={quantity >= plan.max_quantity}
          onClick={() => set(quantity + 1)}
        >
          +
        </button>
      </span>
      <span className="small faint num">
        <Trans>
          {plan.min_quantity} to {plan.max_quantity}, {formatUnits(plan.concurrency)} each
        </Trans>
      </span>
    </div>
  );
}
