// @ts-check
// The lobby keeps itself up to date: free seats change, and house edges appear as they are proved.

import { enableFinding } from "./shared/find.js";
import { keepLive } from "./shared/refresh.js";

keepLive();
enableFinding();
