import type { Accounts } from "../accounts/index.ts";
import type { Gateway } from "../gateway/index.ts";
import type { Money } from "../money/index.ts";
import type { Base } from "../platform/index.ts";
import { createAttentionModule } from "./attention/index.ts";
import { createContentModule } from "./content/index.ts";
import { createOperationsModule, createUnitsLimit } from "./operations/index.ts";
import { createSettingsModule } from "./settings/index.ts";
import { createStatusModule } from "./status/index.ts";
import { createSystemModule } from "./system/index.ts";
import { createRefusalCounter, createUsageModule } from "./usage/index.ts";

type AttentionPorts = Parameters<typeof createAttentionModule>[0];
type OperationsPorts = Parameters<typeof createOperationsModule>[0];
type UsagePorts = Parameters<typeof createUsageModule>[0];
type SystemPorts = Parameters<typeof createSystemModule>[0];
type ContentPorts = Parameters<typeof createContentModule>[0];
type SettingsPorts = Parameters<typeof createSettingsModule>[0];
type Ports = Base &
  Pick<SystemPorts, "config" | "deliversMail" | "document" | "storageHealth"> &
  Pick<ContentPorts, "dataDir" | "siteFolder"> &
  Pick<SettingsPorts, "describeSettings" | "translateText" | "restart" | "savedSettingsSealer" | "settingsCatalog"> & {
    accounts: Accounts;
    money: Money;
    gateway: Gateway;
    registry: UsagePorts["registry"];
    mayCallElsewhere: UsagePorts["mayCallElsewhere"];
    readFreeBytes: AttentionPorts["readFreeBytes"];
    /** What metrics are read from, without the gateway. */
    sources: Omit<OperationsPorts["sources"], keyof Gateway | "unitsLimit">;
    settings: { usage: UsagePorts["settings"]; operations: OperationsPorts["settings"] };
  };

/** Creates what tells people and operators how the server is used and how it is. */
export function createInsight({ accounts, money, gateway, sources, settings, readFreeBytes, ...base }: Ports) {
  const { db, clock, log } = base;
  const usage = createUsageModule({
    ...base,
    settings: settings.usage,
    liveCalls: gateway.liveCalls,
    currentPlan: money.plans.currentPlan,
  });
  const status = createStatusModule(base);
  const content = createContentModule(base);
  const readPaymentsCheck = money.billing.readPaymentsCheck;
  const system = createSystemModule({ ...base, identity: accounts.identity });
  const settingsPage = createSettingsModule({ ...base, readPaymentsCheck });
  const operations = createOperationsModule({
    sources: { ...gateway, ...sources, unitsLimit: createUnitsLimit(db, clock) },
    clock,
    settings: settings.operations,
  });
  const attention = createAttentionModule({ db, clock, listBackends: sources.listBackends, readFreeBytes });
  return {
    modules: [attention, usage, status, content, system, settingsPage, operations],
    peerAnswers: operations.peerAnswers,
    api: {
      usage: { ...usage.api, refusals: createRefusalCounter(db, clock, log) },
      operations: operations.api,
      content: content.api,
    },
  };
}
