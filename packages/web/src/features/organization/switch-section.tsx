import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { organizationsQuery, useSwitchOrganization } from "#/entities/session/organizations.ts";
import { getRoleLabel } from "./roles.ts";
import styles from "./switch-section.module.css";

/** The user's organizations, to switch between them. Renders nothing for users who have only one. */
export function SwitchSection({ currentId }: { currentId: string }) {
  const { data, error, refetch } = useQuery(organizationsQuery);
  const switchTo = useSwitchOrganization();
  if (error && !data) return <LoadError subject={t`Your organizations`} error={error} retry={() => void refetch()} />;
  if (!data || data.items.length < 2) return null;

  return (
    <section className="mt-8" aria-labelledby="organizations">
      <h2 className="h4" id="organizations">
        {t`Your organizations`}
      </h2>
      <ul className={`${styles.rows} mt-2`}>
        {data.items.map(({ id, name, role }) => (
          <li key={id} className="row between">
            <span className="user-text" dir="auto">
              <strong>{name}</strong> <span className="faint small">{getRoleLabel(role)}</span>
            </span>
            {id === currentId ? (
              <StateBadge tier="good">{t`in use`}</StateBadge>
            ) : (
              <button
                type="button"
                className="btn"
                aria-label={t`Act for ${name}`}
                onClick={() => void switchTo.run({ id, name })}
              >
                {t`Act for it`}
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
