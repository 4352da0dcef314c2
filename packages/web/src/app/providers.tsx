import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ConfirmProvider } from "#/components/ui/dialogs/confirm.tsx";
import { ToastProvider } from "#/components/ui/feedback/toast.tsx";
import { LoadingBarContext } from "#/components/ui/loading/loading-bar-context.ts";
import type { LoadingBarStore } from "#/components/ui/loading/loading-bar-state.ts";
import type { Analytics } from "#/features/analytics/analytics.ts";
import { AnalyticsContext } from "#/features/analytics/context.ts";
import { ConsentContext } from "#/features/consent/context.ts";
import type { ConsentStore } from "#/features/consent/store.ts";
import type { ReferralStore } from "#/features/referral/referral-code.ts";
import { ReferralContext } from "#/features/referral/referral-context.ts";

/** The services that all pages share, created once per page load. */
export type Services = {
  client: QueryClient;
  analytics: Analytics;
  consent: ConsentStore;
  referral: ReferralStore;
  loadingBar: LoadingBarStore;
};

/** Provides the services to all pages. */
export function Providers({
  client,
  analytics,
  consent,
  referral,
  loadingBar,
  children,
}: Services & { children: ReactNode }) {
  return (
    <QueryClientProvider client={client}>
      <AnalyticsContext value={analytics}>
        <ConsentContext value={consent}>
          <ReferralContext value={referral}>
            <LoadingBarContext value={loadingBar}>
              <ToastProvider>
                <ConfirmProvider>{children}</ConfirmProvider>
              </ToastProvider>
            </LoadingBarContext>
          </ReferralContext>
        </ConsentContext>
      </AnalyticsContext>
    </QueryClientProvider>
  );
}
