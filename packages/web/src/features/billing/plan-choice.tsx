import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useState } from "react";
import { Barbs, Tag } from "#/components/ui/bits.tsx";
import { type Choice, quantityFor } from "./choice.ts";
import { isPaidPlan } from "./paid-plan.ts";
import { type Plan, priceOf, type Subscription, unitsOf, unitsText } from "./words.ts";

type Props = {
  plans: readonly Plan[];
  choice: Choice;
  subscription: Subscription;
  disabled: boolean;
  choose(plan: Plan): void;
  setQuantity(quantity: number): void;
};

/** Radio buttons of the plans on sale, with a quantity where a plan is sold by units. */
export function PlanChoice({ plans, choice, subscription, disabled, choose, setQuantity }: Props) {
  return (
    <fieldset disabled={disabled}>
      <legend className="visually-hidden">{t`Plan`}</legend>
      <div className="plan-choice">
        {plans.map((plan) => {
          const chosen = plan.id === choice.plan.id;
          const isEach = plan.unit_based && !chosen;
          const units = unitsOf(plan, chosen ? choice.quantity : plan.min_quantity);
          return (
            <div key={plan.id} className="plan-option">
              <label>
                <input type="radio" name="plan" value={plan.id} checked={chosen} onChange={() => choose(plan)} />
                <span className="what">
                  <span className="row wraps">
                    <strong>{plan.name}</strong>
                    {plan.id === subscription.plan.id ? <Tag>{t`your plan`}</Tag> : null}
                  </span>
                  <span className="small mid">
                    {isPaidPlan(plan) ? `${plan.features.join(", ")}.` : t`End the paid plan with its period.`}
                  </span>
                </span>
                <span className="row small mid units">
                  <Barbs on={units ?? 8} of={units ?? 8} label={unitsText(units)} />
                  {isEach ? t`${unitsText(units)} each` : unitsText(units)}
                </span>
                <span className="num price">{priceOf(plan, chosen ? choice.quantity : plan.min_quantity)}</span>
              </label>
              {chosen && plan.unit_based ? (
                <Quantity plan={plan} quantity={choice.quantity} setQuantity={setQuantity} />
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
  const [typed, setTyped] = useState<string | null>(null);
  const set = (wanted: number) => {
    setTyped(null);
    setQuantity(quantityFor(plan, String(Math.max(0, wanted))));
  };
  return (
    <div className="row wraps plan-quantity">
      <label htmlFor="quantity">{t`Quantity`}</label>
      <span className="row stepper">
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
          value={typed ?? quantity}
          onChange={(event) => {
            setTyped(event.target.value);
            setQuantity(quantityFor(plan, event.target.value));
          }}
          onBlur={() => setTyped(null)}
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
      <span className="small dim num">
        <Trans>
          {plan.min_quantity} to {plan.max_quantity}, {unitsText(plan.concurrency)} each
        </Trans>
      </span>
    </div>
  );
}
