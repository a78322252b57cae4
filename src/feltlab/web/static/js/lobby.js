// @ts-check
// The lobby keeps itself up to date: free seats change, and house edges appear as they are proved.

import { keepLive } from "./shared/refresh.js";

keepLive();
