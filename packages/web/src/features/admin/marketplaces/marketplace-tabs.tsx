import { t } from "@lingui/core/macro";
import { Tabs } from "../tabs.tsx";

const TABS = [
  { value: "", label: t`Purchases` },
  { value: "usage", label: t`Metered usage` },
  { value: "meters", label: t`Meters` },
  { value: "payouts", label: t`Payouts` },
];

/** The lists about cloud marketplaces: purchases, what was metered, what is metered, and what was paid. */
export function MarketplaceTabs() {
  return <Tabs label={t`Lists about marketplaces`} name="view" tabs={TABS} />;
}
