import type { Subscription } from "@feather/sdk";
import { Trans } from "@lingui/react/macro";
import type { ComponentProps } from "react";
import { formatCoupon } from "#/entities/plans/subscription-labels.ts";
import { CouponField } from "../coupon-field.tsx";

type Props = ComponentProps<typeof CouponField> & { applied: Subscription["coupon"] };

/** Shows the coupon that the subscription has, which a change keeps, or else the field for one. */
export function ChangeCoupon({ applied, ...field }: Props) {
  if (!applied) return <CouponField {...field} />;
  return (
    <p className="small muted mt-4">
      <Trans>
        Your coupon {applied.code} stays: {formatCoupon(applied)}.
      </Trans>
    </p>
  );
}
