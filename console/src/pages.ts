/** The pages of the console, in the order of the navigation. */
import type { Page } from "./page";
import { clusterPage } from "./pages/cluster";
import { configurationPage } from "./pages/configuration";
import { connectionsPage } from "./pages/connections";
import { exchangePage, exchangesPage } from "./pages/exchanges";
import { logPage } from "./pages/log";
import { mapPage } from "./pages/map";
import { overviewPage } from "./pages/overview";
import { pipelinesPage } from "./pages/pipelines";
import { pricesPage } from "./pages/prices";
import { queuePage } from "./pages/queue";
import { queuesPage } from "./pages/queues";
import { storePage } from "./pages/store";
import { usersPage } from "./pages/users";

export const PAGES: readonly Page[] = [
  overviewPage,
  queuesPage,
  queuePage,
  mapPage,
  pricesPage,
  exchangesPage,
  exchangePage,
  connectionsPage,
  pipelinesPage,
  storePage,
  clusterPage,
  usersPage,
  configurationPage,
  logPage,
];
