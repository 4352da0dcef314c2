import { createContext, useContext } from "react";
import { createReferralStore, type ReferralStore } from "./referral-code.ts";

const NOTHING = createReferralStore({ get: () => null, set: () => true, remove: () => {} });

export const ReferralContext = createContext<ReferralStore>(NOTHING);

export const useReferralStore = (): ReferralStore => useContext(ReferralContext);
