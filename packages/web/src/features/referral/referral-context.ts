import { createContext, useContext } from "react";
import { createReferralStore, type ReferralStore } from "./referral-code.ts";

const EMPTY_STORE = createReferralStore({ get: () => null, set: () => true, remove: () => {} });

/** The store of the referral code; one that stores nothing outside of a provider. */
export const ReferralContext = createContext<ReferralStore>(EMPTY_STORE);

/** Returns the store of the referral code. */
export const useReferralStore = (): ReferralStore => useContext(ReferralContext);
