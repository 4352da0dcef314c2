import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { faultOf } from "#/lib/fault.ts";
import { feather } from "#/lib/feather.ts";
import { couponCode } from "./coupon-section.tsx";
import { type Coupon, couponFault, couponWords } from "./words.ts";

/** Checks a coupon for a plan on the server. Returns the coupon where it can be used, else why not. */
export function useCoupon(code: string | null, planId: string, enabled: boolean) {
  const check = useQuery({
    queryKey: ["preview", "coupon", code, planId],
    queryFn: async () => feather.subscription.coupons.get(code ?? "", { plan_id: planId }),
    enabled: enabled && code !== null,
  });
  const fault = check.isError ? faultOf(check.error).message : check.data ? couponFault(check.data) : null;
  const usable: Coupon | null = check.data && fault === null ? check.data : null;
  return { checking: enabled && code !== null && check.isPending, fault, coupon: usable };
}

type Props = { code: string | null; state: ReturnType<typeof useCoupon>; set(code: string | null): void };

/** A field for a coupon code, with what it gives or why it cannot be used. */
export function CouponField({ code, state, set }: Props) {
  const id = useId();
  const [typed, setTyped] = useState(code ?? "");
  const [bad, setBad] = useState(false);
  const { coupon, fault, checking } = state;
  const shown = bad ? t`Coupon is not valid.` : fault;

  function submit(event: FormEvent): void {
    event.preventDefault();
    const parsed = couponCode.safeParse(typed);
    setBad(!parsed.success);
    if (parsed.success) set(parsed.data);
  }

  return (
    <form className="field coupon-field mt-5" onSubmit={submit} noValidate>
      <label htmlFor={id}>{t`Coupon`}</label>
      <div className="row">
        <input
          id={id}
          className="input"
          value={typed}
          autoComplete="off"
          aria-invalid={shown !== null}
          aria-describedby={`${id}-text`}
          onChange={(event) => {
            setTyped(event.target.value);
            setBad(false);
          }}
        />
        {coupon ? (
          <button
            type="button"
            className="btn"
            onClick={() => {
              setTyped("");
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
        {shown !== null ? <p className="err">{shown}</p> : null}
        {coupon ? <p className="hint">{couponWords(coupon)}.</p> : null}
      </div>
    </form>
  );
}
