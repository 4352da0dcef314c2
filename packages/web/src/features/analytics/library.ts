/** The analytics library with all its parts on this site: none is fetched from elsewhere. */
import "posthog-js/dist/posthog-recorder";

export { posthog } from "posthog-js/no-external";
