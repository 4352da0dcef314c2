import type { Logger } from "pino";
import type { Audit } from "../../platform/core/audit.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { Ids } from "../../platform/core/ids.ts";
import { centsToNano } from "../../platform/core/money.ts";
import type { Credits } from "../credits/index.ts";
import type { Ledger } from "../ledger/index.ts";
import { createPayouts } from "./payouts.usecases.ts";
import { referralRoutes } from "./referrals.routes.ts";
import type { ReferralSettings } from "./referrals.settings.ts";
import { createReferrals } from "./referrals.usecases.ts";
import { createRewards } from "./rewards.usecases.ts";

type Ports = {
  db: Database;
  ledger: Ledger;
  credits: Credits;
  audit: Audit;
  clock: Clock;
  ids: Ids;
  log: Logger;
  publicUrl: string;
  settings: ReferralSettings;
  /** Whether payments move no money; commissions are then not paid out either. */
  isTest: boolean;
};

/** Creates referral codes, the rewards for them and the payouts of affiliates. */
export function createReferralsModule(ports: Ports) {
  const { settings } = ports;
  const terms = { creditsNano: centsToNano(Math.round(settings.creditsUsd * 100)), percent: settings.percent };
  const referrals = createReferrals(ports);
  const rewards = createRewards({ ...ports, terms });
  return {
    routes: referralRoutes({ referrals, payouts: createPayouts({ ...ports, terms }) }),
    jobs: [rewards.job],
    api: { onRegistered: referrals.onRegistered, invoiceHooks: rewards.invoiceHooks },
  };
}
