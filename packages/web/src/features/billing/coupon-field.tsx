import type { Coupon } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { formatCoupon, getCouponError } from "#/entities/plans/subscription-labels.ts";
import { errorMessage } from "#/lib/error-message.ts";
import { queries } from "#/lib/queries.ts";
import styles from "./coupon-field.module.css";
import { couponCodeSchema } from "./coupon-section.tsx";

/** Checks a coupon for a plan on the server. Returns the coupon where it can be used, else why not. */
export function useCoupon(code: string | null, planId: string, enabled: boolean) {
  const check = useQuery({
    ...queries.subscription.coupons.get.queryOptions(code ?? "", { plan_id: planId }),
    enabled: enabled && code !== null,
  });
  const error = check.isError ? errorMessage(check.error) : check.data ? getCouponError(check.data) : null;
  const usableCoupon: Coupon | null = check.data && error === null ? check.data : null;
  return { checking: enabled && code !== null && check.isPending, error, coupon: usableCoupon };
}

type Props = { code: string | null; state: ReturnType<typeof useCoupon>; set(code: string | null): void };

/** A field for a coupon code, which shows the discount, or why the code cannot be used. */
export function CouponField({ code, state, set }: Props) {
  const id = useId();
  const [text, setText] = useState(code ?? "");
  const [isMalformed, setIsMalformed] = useState(false);
  const { coupon, error, checking } = state;
  const errorMessage = isMalformed ? t`Coupon is not valid.` : error;

  function submit(event: FormEvent): void {
    event.preventDefault();
    const parsed = couponCodeSchema.safeParse(text);
    setIsMalformed(!parsed.success);
    if (parsed.success) set(parsed.data);
  }

  return (
    <form className={`field ${styles.couponField} mt-5`} onSubmit={submit} noValidate>
      <label htmlFor={id}>{t`Coupon`}</label>
      <div className="row">
        <input
          id={id}
          className="input"
          value={text}
          autoComplete="off"
          aria-invalid={errorMessage !== null}
          aria-describedby={`${id}-text`}
          onChange={(event) => {
            setText(event.target.value);
            setIsMalformed(false);
          }}
        />
        {coupon ? (
          <button
            type="button"
            className="btn"
            onClick={() => {
              setText("");
              set(null);
            }}
          >
            {t`Leave it out`}
          </button>
        ) : (
          <button type="submit" className="btn" disabled={checking}>
            {checking ? t`Checking …` : t`Use coupon`}
          </button>
        )}
      </div>
      <div id={`${id}-text`} aria-live="polite">
        {errorMessage !== null ? <p className="error-text">{errorMessage}</p> : null}
        {coupon ? <p className="hint">{formatCoupon(coupon)}.</p> : null}
      </div>
    </form>
  );
}
