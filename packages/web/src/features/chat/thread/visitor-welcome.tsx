import { t } from "@lingui/core/macro";
import styles from "../chat.module.css";
import { ExampleConversation } from "./example-conversation.tsx";

/** Shown to signed-out visitors who asked for no certain model. It is prerendered, so it waits for nothing. */
export function VisitorWelcome() {
  return (
    <div className={styles.welcome}>
      <p className="h2">{t`Talk to open models`}</p>
      <p className="muted mt-3">
        {t`Ask one, or several side by side. What you write goes to the model, and is kept in your browser unless your organization keeps chats on this server.`}
      </p>
      <ExampleConversation />
    </div>
  );
}
