import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { useToast } from "#/components/ui/toast.tsx";
import { errorMessage } from "#/lib/error-message.ts";
import { feather } from "#/lib/feather.ts";
import { storeReturnTo } from "./provider-return.ts";

/** A sign-in button for each configured provider. Renders nothing where there are none. */
export function ProviderButtons({ returnTo }: { returnTo: string }) {
  const toast = useToast();
  const { data } = useQuery({ queryKey: ["auth", "providers"], queryFn: async () => feather.auth.providers() });
  if (!data || data.items.length === 0) return null;

  async function startSignIn(id: string): Promise<void> {
    try {
      const { redirect_to } = await feather.auth.connect(id, { returnTo });
      storeReturnTo(returnTo);
      globalThis.location.assign(redirect_to);
    } catch (error) {
      toast({
        title: errorMessage(error),
        variant: "destructive",
      });
    }
  }

  return (
    <div className="mt-6">
      <p className="label mb-2">{t`or`}</p>
      {data.items.map(({ id, name }) => (
        <button key={id} type="button" className="btn full mt-2" onClick={() => void startSignIn(id)}>
          <Trans>Continue with {name}</Trans>
        </button>
      ))}
    </div>
  );
}
