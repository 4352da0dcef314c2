import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { feather } from "#/lib/feather.ts";
import { queries } from "#/lib/queries.ts";
import { useAction } from "#/lib/use-action.ts";
import { storeReturnTo } from "./provider-return.ts";

/** A sign-in button for each configured provider. Renders nothing where there are none. */
export function ProviderButtons({ returnTo }: { returnTo: string }) {
  const { data } = useQuery(queries.auth.providers.queryOptions());
  const connection = useAction((id: string) => feather.auth.connect(id, { returnTo }), {
    onSuccess({ redirect_to }) {
      storeReturnTo(returnTo);
      globalThis.location.assign(redirect_to);
    },
  });
  if (!data || data.items.length === 0) return null;
  return (
    <div className="mt-6">
      <p className="label mb-2">{t`or`}</p>
      {data.items.map(({ id, name }) => (
        <button key={id} type="button" className="btn full mt-2" onClick={() => void connection.run(id)}>
          <Trans>Continue with {name}</Trans>
        </button>
      ))}
    </div>
  );
}
