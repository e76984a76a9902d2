FROM golang:1.26-alpine AS build
WORKDIR /src
# A layer of its own: modules are downloaded again only when go.mod or go.sum change.
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' -o /out/doublecharge ./cmd/doublecharge \
 && mkdir /out/data

FROM gcr.io/distroless/static-debian12:nonroot
COPY --from=build /out/doublecharge /doublecharge
# There is no shell here to make a folder with. A new volume takes over the owner of what it covers.
COPY --from=build --chown=65532:65532 /out/data /data
ENTRYPOINT ["/doublecharge"]
