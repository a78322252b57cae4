// The lobby goes on while somebody looks: seats are taken, edges are proved.

import { keepLive } from "./refresh.js";

keepLive();
