import { plural, t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { Barbs } from "#/components/ui/labels/barbs.tsx";
import { concurrencyQuery } from "#/entities/session/concurrency.ts";
import styles from "./units-in-use.module.css";

/** The units that the organization is using now, in the top bar. */
export function UnitsInUse() {
  const { data } = useQuery(concurrencyQuery);
  if (!data) return null;
  const limit = data.limit ?? Math.max(data.used_cost, 4);
  return (
    <span className={`row small muted num ${styles.units}`} title={t`Units in use`}>
      <Barbs
        active={data.used_cost}
        total={limit}
        label={
          data.limit === null
            ? plural(data.used_cost, { one: "# unit in use", other: "# units in use" })
            : t`${data.used_cost} of ${data.limit} units in use`
        }
      />
      {data.used_cost}/{data.limit ?? "∞"}
    </span>
  );
}
