import type { AdminCoupon } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ListPage } from "#/components/list/list-page.tsx";
import type { Column } from "#/components/list/list-table.tsx";
import { useConfirm } from "#/components/ui/dialogs/confirm.tsx";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { Tag } from "#/components/ui/labels/tag.tsx";
import styles from "#/features/admin/admin.module.css";
import { formatOffer } from "#/features/admin/plans/coupon-fields.ts";
import { CouponTermsDialog } from "#/features/admin/plans/coupon-terms-dialog.tsx";
import { NewCouponDialog } from "#/features/admin/plans/new-coupon-dialog.tsx";
import { couponsQuery } from "#/features/admin/plans/queries.ts";
import { ADMIN_QUERY_KEYS } from "#/features/admin/query-keys.ts";
import { createMenuColumn } from "#/features/admin/row-menu.tsx";
import { feather } from "#/lib/feather.ts";
import { formatCount, formatIsoDay } from "#/lib/format.ts";
import { useAction } from "#/lib/use-action.ts";

const COLUMNS: Column<AdminCoupon>[] = [
  {
    header: t`Coupon`,
    cell: (coupon) => (
      <>
        <span className="mono strong user-text">{coupon.code}</span>{" "}
        {coupon.is_retention ? <Tag>{t`for leavers`}</Tag> : null}
        <div className="small faint">{formatOffer(coupon)}</div>
      </>
    ),
  },
  {
    header: t`Plans`,
    cell: ({ applies_to }) => <span className="small muted">{applies_to.join(", ") || t`all`}</span>,
    hideWhenNarrow: true,
  },
  {
    header: t`Used`,
    cell: ({ redemptions, max_redemptions }) =>
      max_redemptions === null
        ? formatCount(redemptions)
        : t`${formatCount(redemptions)} of ${formatCount(max_redemptions)}`,
    isNumeric: true,
    hideWhenNarrow: true,
  },
  {
    header: t`Until`,
    cell: ({ redeem_by_date }) => (
      <span className="muted num">{redeem_by_date ? formatIsoDay(redeem_by_date) : t`without end`}</span>
    ),
    hideWhenNarrow: true,
  },
  {
    header: t`State`,
    cell: ({ valid, reason }) => (
      <span className="small">
        <StateBadge tier={valid ? "good" : "offline"}>{valid ? t`can be used` : t`ended`}</StateBadge>
        {valid || !reason ? null : <div className={`tiny faint ${styles.cellNote}`}>{reason}</div>}
      </span>
    ),
  },
];

/** All coupons: create, change and end. */
export default function AdminCouponsPage() {
  const coupons = useQuery(couponsQuery);
  const [editing, setEditing] = useState<AdminCoupon | "new" | null>(null);
  const confirm = useConfirm();
  const deletion = useAction((code: string) => feather.admin.coupons.delete(code), {
    success: (_, code) => t`${code} has ended`,
    invalidates: ADMIN_QUERY_KEYS,
  });
  function end({ code }: AdminCoupon): void {
    confirm({
      title: t`End ${code}`,
      description: t`Nobody can use it from now on. Those who have it keep it.`,
      confirmButtonText: t`End ${code}`,
      destructive: true,
      action: async () => {
        await deletion.run(code);
      },
    });
  }
  const make = (
    <button type="button" className="btn primary" onClick={() => setEditing("new")}>
      {t`Make a coupon`}
    </button>
  );
  return (
    <>
      <ListPage
        title={t`Coupons`}
        description={t`Codes that take something off the price of a plan.`}
        action={make}
        query={coupons}
        columns={[
          ...COLUMNS,
          createMenuColumn(
            ({ code }: AdminCoupon) => code,
            (coupon) => [
              { label: t`Change`, run: () => setEditing(coupon) },
              coupon.valid && { label: t`End`, run: () => end(coupon), destructive: true },
            ],
          ),
        ]}
        idOf={({ code }) => code}
        empty={{
          title: t`No coupons yet`,
          text: t`Make one for a campaign, or one that is offered to those who are about to leave.`,
          action: make,
        }}
      />
      {editing === "new" ? <NewCouponDialog close={() => setEditing(null)} /> : null}
      {editing && editing !== "new" ? <CouponTermsDialog coupon={editing} close={() => setEditing(null)} /> : null}
    </>
  );
}

/** Loads what the page reads first. */
export const prefetch = (client: QueryClient): Promise<void> => client.prefetchQuery(couponsQuery);
