import type { ServerSetting } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { type FormEvent, useState } from "react";
import { ErrorNotice } from "#/components/ui/feedback/error-notice.tsx";
import { ADMIN_QUERY_KEYS } from "#/features/admin/query-keys.ts";
import { settingsQuery } from "#/features/admin/system/queries.ts";
import { feather } from "#/lib/feather.ts";
import { useAction } from "#/lib/use-action.ts";
import { type Draft, initialValueOf, toChanges } from "./draft.ts";
import { SettingField } from "./setting-field.tsx";

/** The settings of a group that admins can save. They are saved together, since some are only valid with each other. */
export function SettingsForm({ settings }: { settings: readonly ServerSetting[] }) {
  const [draft, setDraft] = useState<Draft>({});
  const changes = toChanges(settings, draft);
  const isChanged = Object.keys(changes).length > 0;
  const save = useAction((values: Record<string, string | null>) => feather.admin.saveSettings({ values }), {
    success: () => t`Saved for the next start of the server`,
    showsError: true,
    invalidates: ADMIN_QUERY_KEYS,
    onSuccess(saved, values, client) {
      client.setQueryData(settingsQuery.queryKey, saved);
      setDraft((current) => Object.fromEntries(Object.entries(current).filter(([name]) => !(name in values))));
    },
  });
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (isChanged) void save.run(changes);
  }
  return (
    <form onSubmit={submit} noValidate>
      {settings.map((setting) => (
        <SettingField
          key={setting.name}
          setting={setting}
          value={draft[setting.name] ?? initialValueOf(setting)}
          change={(value) => setDraft((current) => ({ ...current, [setting.name]: value }))}
          reset={
            setting.saved?.is_set ? (
              <button
                type="button"
                className="link small"
                disabled={save.busy}
                onClick={() => void save.run({ [setting.name]: null })}
              >
                {setting.is_secret || setting.default_value === null ? t`Remove` : t`Use the default`}
              </button>
            ) : undefined
          }
        />
      ))}
      <ErrorNotice error={save.error} />
      {isChanged ? (
        <div className="row wrapping mt-4">
          <button type="submit" className="btn primary" disabled={save.busy} aria-busy={save.busy}>
            {t`Save`}
          </button>
          <button
            type="button"
            className="btn ghost"
            onClick={() => {
              setDraft({});
              save.clearError();
            }}
          >
            {t`Drop changes`}
          </button>
        </div>
      ) : null}
    </form>
  );
}
