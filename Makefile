# The one place where commands are written down. `make help` lists them.

GOLANGCI_LINT_VERSION := v2.15.0
TYPESCRIPT_VERSION    := 5.9.3
AXE_VERSION           := 4.14.1
AXE   := bin/axe/node_modules/axe-core/axe.min.js
BIN   := bin/doublecharge
# Tests of all packages share one private PostgreSQL and RabbitMQ; without them they fail, not skip. The exec makes
# make itself the parent, so that a killed make is noticed.
STACK := exec env DOUBLECHARGE_REQUIRE_SERVERS=1 GORACE=atexit_sleep_ms=0 $(BIN) --log-level warn stack --
SOURCES := $(shell find . -name '*.go' -o -name '*.sql' -not -path './node_modules/*') go.mod $(shell find web -type f 2>/dev/null)

.DEFAULT_GOAL := help

.PHONY: help
help: ## Show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  \1\t\2/' | expand -t 18

$(BIN): $(SOURCES)
	go build -trimpath -o $(BIN) ./cmd/doublecharge

.PHONY: build
build: $(BIN) ## Build the one binary

.PHONY: servers
servers: ## Install the servers of the tests where they are missing (apt or brew)
	@lab/install postgresql rabbitmq redis

.PHONY: demo
demo: $(BIN) ## Run everything on this machine, without Docker
	@lab/install postgresql rabbitmq redis
	@$(BIN) demo --log-level warn

.PHONY: up
up: ## Run everything in containers
	docker compose up --build

.PHONY: down
down: ## Stop the containers and forget their data
	docker compose down --volumes

.PHONY: test
test: servers $(BIN) ## Run the tests; installs what they need
	$(STACK) go test ./...

.PHONY: race
race: servers $(BIN) ## Run the tests with the race detector, but for those that only start other processes
	$(STACK) go test -race -timeout 8m -skip 'Matrix|Replayed|OwnStrategies|Lesson|Walkthrough' ./...

.PHONY: matrix
matrix: servers $(BIN) ## Run every strategy against every fault, on real processes
	$(BIN) --log-level warn matrix

.PHONY: long
long: servers $(BIN) ## What takes minutes: the whole matrix, 200 replays, wider bounds, every guard taken out
	$(STACK) go test ./cmd/doublecharge -count=1 -long -run TestEveryGuard
	$(BIN) --log-level error matrix --all
	$(BIN) explore --strategy seen-set-and-key --strategy hybrid --crashes 3 --deliveries 4 --workers 2
	$(BIN) --log-level error explore --replay

.PHONY: soak
soak: servers $(BIN) ## The matrix 20 times: no cell may flip
	$(STACK) sh -e -c 'for i in $$(seq 20); do $(BIN) --log-level error matrix --out bin/soak.txt; tail -n 2 bin/soak.txt; done'

.PHONY: web
web: ## Check the page's modules: types, and the pure model's tests
	cd web && node --test test/
	cd web && npx --yes --package typescript@$(TYPESCRIPT_VERSION) tsc --project jsconfig.json

# What looks at the page for people who cannot see it. It is never part of the page.
$(AXE):
	npm install --silent --no-save --prefix bin/axe axe-core@$(AXE_VERSION)

.PHONY: browser
browser: servers $(BIN) $(AXE) ## Do with the page in a real browser what people do, and look at every view
	@lab/install chromium
	$(STACK) go test ./cmd/doublecharge -count=1 -timeout 12m -run '^TestThePage$$' -browser -axe $(CURDIR)/$(AXE)

.PHONY: pictures
pictures: servers $(BIN) ## Take pictures of every view, language and theme into bin/pictures
	@lab/install chromium
	@mkdir -p bin/pictures
	$(STACK) go test ./cmd/doublecharge -count=1 -timeout 12m -run '^TestThePage$$/(matrix|explorer|pictures|notes|looks)' -browser -pictures $(CURDIR)/bin/pictures

.PHONY: frames
frames: servers $(BIN) ## Print how long frames take with 2,000 events on the page
	@lab/install chromium
	$(STACK) go test ./cmd/doublecharge -count=1 -run '^TestThePage$$/long' -browser -v | grep -E 'frames|^(ok|FAIL)'

.PHONY: walkthrough
walkthrough: $(BIN) ## Be led through it in the terminal, one key at a time
	@lab/install postgresql rabbitmq redis
	@$(BIN) walkthrough

.PHONY: rehearse
rehearse: servers $(BIN) ## Play the whole 45-minute lesson, and check every answer
	$(BIN) --log-level error scenario rehearse --plan 45

.PHONY: compose
compose: ## Prove the story in containers, where Docker answers
	.ci/compose

.PHONY: fmt
fmt: tools ## Format everything
	bin/golangci-lint fmt ./...

.PHONY: lint
lint: tools ## Check style, layering and tidiness
	bin/golangci-lint run ./...
	bin/golangci-lint fmt --diff ./...
	go mod tidy -diff

.PHONY: tools
tools: bin/golangci-lint-$(GOLANGCI_LINT_VERSION)

bin/golangci-lint-$(GOLANGCI_LINT_VERSION):
	GOBIN=$(CURDIR)/bin go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_LINT_VERSION)
	@touch $@

.PHONY: check
check: lint test long race web browser compose ## Everything that must be green before it lands

.PHONY: clean
clean: ## Remove what was built
	rm -rf bin
