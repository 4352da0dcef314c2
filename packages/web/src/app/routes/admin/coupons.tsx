import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { State, Tag } from "#/components/ui/bits.tsx";
import { useConfirm } from "#/components/ui/confirm.tsx";
import { ListPage } from "#/features/admin/list/list-page.tsx";
import type { Column } from "#/features/admin/list/list-table.tsx";
import { CouponTermsDialog, NewCouponDialog } from "#/features/admin/plans/coupon-dialogs.tsx";
import { offerOf } from "#/features/admin/plans/coupon-fields.ts";
import { type Coupon, couponsQuery } from "#/features/admin/plans/queries.ts";
import { menuColumn } from "#/features/admin/row-menu.tsx";
import { useAct } from "#/features/admin/use-act.ts";
import { feather } from "#/lib/feather.ts";
import { count, day } from "#/lib/format.ts";

const COLUMNS: Column<Coupon>[] = [
  {
    head: "Coupon",
    cell: (coupon) => (
      <>
        <span className="mono strong stranger">{coupon.code}</span>{" "}
        {coupon.is_retention ? <Tag>for leavers</Tag> : null}
        <div className="small dim">{offerOf(coupon)}</div>
      </>
    ),
  },
  {
    head: "Plans",
    cell: ({ applies_to }) => <span className="small mid">{applies_to.join(", ") || "all"}</span>,
    wide: true,
  },
  {
    head: "Used",
    cell: ({ redemptions, max_redemptions }) =>
      max_redemptions === null ? count(redemptions) : `${count(redemptions)} of ${count(max_redemptions)}`,
    figure: true,
    wide: true,
  },
  {
    head: "Until",
    cell: ({ redeem_by_date }) => (
      <span className="mid num">{redeem_by_date ? day(redeem_by_date) : "without end"}</span>
    ),
    wide: true,
  },
  {
    head: "State",
    cell: ({ valid, reason }) => (
      <span className="small">
        <State tier={valid ? "good" : "offline"}>{valid ? "can be used" : "ended"}</State>
        {valid || !reason ? null : <div className="tiny dim cell-note">{reason}</div>}
      </span>
    ),
  },
];

export default function AdminCouponsPage() {
  const coupons = useQuery(couponsQuery);
  const [editing, setEditing] = useState<Coupon | "new" | null>(null);
  const act = useAct();
  const confirm = useConfirm();
  function end({ code }: Coupon): void {
    confirm({
      title: `End ${code}`,
      description: "Nobody can use it from now on. Those who have it keep it.",
      confirmButtonText: `End ${code}`,
      destructive: true,
      action: async () => {
        await act(() => feather.admin.coupons.delete(code), { title: `${code} has ended` });
      },
    });
  }
  const make = (
    <button type="button" className="btn primary" onClick={() => setEditing("new")}>
      Make a coupon
    </button>
  );
  return (
    <>
      <ListPage
        title="Coupons"
        about="Codes that take something off the price of a plan."
        action={make}
        query={coupons}
        columns={[
          ...COLUMNS,
          menuColumn(
            ({ code }: Coupon) => code,
            (coupon) => [
              { label: "Change", run: () => setEditing(coupon) },
              coupon.valid && { label: "End", run: () => end(coupon), destructive: true },
            ],
          ),
        ]}
        idOf={({ code }) => code}
        empty={{
          title: "No coupons yet",
          text: "Make one for a campaign, or one that is offered to those who are about to leave.",
          action: make,
        }}
      />
      {editing === "new" ? <NewCouponDialog close={() => setEditing(null)} /> : null}
      {editing && editing !== "new" ? <CouponTermsDialog coupon={editing} close={() => setEditing(null)} /> : null}
    </>
  );
}
