import { t } from "@lingui/core/macro";
import { createDateFormat } from "#/lib/format.ts";
import { type Period, toTimeRange } from "../period.ts";

const dayFormat = createDateFormat({ dateStyle: "long", timeZone: "UTC" });

type Props = { period: Period; keptSince: Date | null | undefined };

/** Says since when requests are there; nothing when the period begins later, or none were removed. */
export function RemovedRequests({ period, keptSince }: Props) {
  if (!keptSince || toTimeRange(period).start * 1000 >= keptSince.getTime()) return null;
  return (
    <p className="notice quiet mt-4">
      {t`Requests from before ${dayFormat.format(keptSince)} have been removed. Their sums by model and by result are still here; receipts, sums by key and units are not.`}
    </p>
  );
}
