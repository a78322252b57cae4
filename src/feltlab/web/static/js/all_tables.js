// @ts-check
// The list of all public tables keeps itself up to date.

import { enableFinding } from "./shared/find.js";
import { keepLive } from "./shared/refresh.js";

keepLive();
enableFinding();
