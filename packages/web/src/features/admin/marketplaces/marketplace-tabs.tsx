import { t } from "@lingui/core/macro";
import { Tabs } from "../tabs.tsx";

const TABS = [
  { value: "", label: t`Purchases` },
  { value: "usage", label: t`Metered usage` },
  { value: "meters", label: t`Meters` },
];

/** The lists about cloud marketplaces: purchases, what was metered, and what is metered. */
export function MarketplaceTabs() {
  return <Tabs label={t`Lists about marketplaces`} name="view" tabs={TABS} />;
}
